"""The polyhedral complex of a network: its cells, and the engines that find them."""
