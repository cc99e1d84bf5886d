"""File formats of real libraries, one module each: read into a `MergeList`, written from one."""
