"""What two people keep coming back to: pages of talk, joined, warmed, analysed, put away."""
