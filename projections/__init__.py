"""Read models: rows derived from the record by the follower, and the queries that the interface asks of them."""
