"""How a proof is written: claims about subjects, and the records that prove them."""
