"""Properties of networks: is there a point of a domain with outputs that nobody wants?"""
