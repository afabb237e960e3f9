"""What kit.py runs before anything is installed, when it is asked for; standard library only."""
