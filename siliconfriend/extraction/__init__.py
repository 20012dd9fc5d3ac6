"""What is taken out of the talk once it is over: events, facts and topics."""
