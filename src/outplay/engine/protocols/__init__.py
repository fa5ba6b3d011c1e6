"""What engines and programs say to each other: text to messages and back, no input or output."""
