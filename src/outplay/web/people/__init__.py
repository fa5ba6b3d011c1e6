"""People without accounts: a key in the browser, a name that can be changed."""
