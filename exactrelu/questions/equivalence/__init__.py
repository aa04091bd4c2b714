"""When do two networks compute the same function, or nearly, and is there a smaller one?"""
