"""The pages as people meet them: a real server, a real Chromium."""
