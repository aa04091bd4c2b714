"""What users of Python see: the table of names, the gate of all questions, small makers."""
