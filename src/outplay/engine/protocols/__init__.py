"""The protocols of engines: text to messages and back, without input or output."""
