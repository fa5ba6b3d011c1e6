"""The lab: experiments with search."""
