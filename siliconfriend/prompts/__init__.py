"""What models are told: prompt files, put together with words that cannot break out of them."""
