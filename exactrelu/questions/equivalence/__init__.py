"""When do two networks compute the same function, or nearly the same?"""
