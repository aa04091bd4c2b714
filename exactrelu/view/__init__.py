"""Pictures, pages and words: exact data in, drawings and text for people out."""
