"""Pictures and the report page: exact data in, drawings out."""
