"""Doctor: what is installed and where text goes, without naming a secret."""

from rag_kit import doctor, load_settings

OFFLINE = load_settings({})


def test_on_this_machine_all_is_well_and_no_network_is_needed():
    findings = doctor.examine(OFFLINE)
    assert all(finding.ok for finding in findings), [finding for finding in findings if not finding.ok]
    said = {finding.name: finding.detail for finding in findings}
    assert said["network"] == "not needed"
    assert said["chat"] == "offline-reader, on this machine"
    assert said["embeddings"] == "all-MiniLM-L6-v2, on this machine"
    assert "as pinned" in said["embedding model"]


def test_a_server_is_named_and_the_key_is_not():
    settings = load_settings(
        {"OPENAI_API_KEY": "sk-test-FAKE1234567890", "OPENAI_BASE_URL": "https://models.test/v1"}
    )
    text = doctor.findings_text(doctor.examine(settings))
    assert "needed: text goes to models.test" in text
    assert "FAKE1" not in text


def test_the_brief_form_is_the_same_on_every_machine():
    assert doctor.brief(OFFLINE).splitlines() == [
        "set-up: complete",
        "chat model: offline-reader (quotes its sources or refuses; not a language model)",
        "embedding model: all-MiniLM-L6-v2; network: not needed",
    ]


def test_what_is_not_well_comes_with_its_mend():
    finding = doctor.Finding("thing", False, "is missing", "install it")
    assert doctor.findings_text([finding]).splitlines()[1].strip() == "mend: install it"
    assert doctor.findings_json([finding])["ok"] is False


def test_the_command_says_so_too(cli):
    ran = cli("doctor", "--json")
    assert (ran.status, ran.stderr, ran.json["ok"]) == (0, "", True)
