"""Extract events, facts and topics from turns that have left the dialogue."""
