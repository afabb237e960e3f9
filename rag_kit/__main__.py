"""``python -m rag_kit``."""

from rag_kit.cli import main

raise SystemExit(main())
