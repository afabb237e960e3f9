"""A client of a kernel that does not rely on being told once that a message came."""

import asyncio
from queue import Empty

import pytest
import zmq
import zmq.asyncio
from jupyter_client.session import Session

from rag_kit.teaching.building.execute import patient_client


class Deaf(zmq.asyncio.Socket):
    """Has a message, and the first who asks waits in vain for word of it."""

    asked = 0

    async def poll(self, timeout=None, flags=zmq.POLLIN):
        self.asked += 1
        await asyncio.sleep(0)
        return flags if self.asked > 1 else 0


async def ask(kind, timeout):
    session = Session(key=b"")
    with zmq.asyncio.Context() as context:
        socket = context.socket(zmq.PAIR, socket_class=kind)
        other = context.socket(zmq.PAIR)
        try:
            port = socket.bind_to_random_port("tcp://127.0.0.1")
            other.connect(f"tcp://127.0.0.1:{port}")
            if kind is Deaf:
                session.send(
                    zmq.Socket.shadow(other.underlying), session.msg("execute_reply", {"status": "ok"})
                )
            channel = patient_client().shell_channel_class.klass(socket, session)
            return await channel.get_msg(timeout=timeout)
        finally:
            socket.close(0)
            other.close(0)


@pytest.mark.parametrize("timeout", [None, 60])
def test_a_message_whose_coming_was_missed_is_found_all_the_same(timeout):
    assert asyncio.run(ask(Deaf, timeout))["content"] == {"status": "ok"}


@pytest.mark.parametrize("timeout", [0, 0.05])
def test_where_none_comes_the_time_is_kept(timeout):
    with pytest.raises(Empty):
        asyncio.run(ask(zmq.asyncio.Socket, timeout))
