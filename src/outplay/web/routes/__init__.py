"""The endpoints, a dozen lines each: read the request, call one thing, answer."""
