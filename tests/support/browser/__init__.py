"""What the browser tests share: people with their input devices, and the pages."""
