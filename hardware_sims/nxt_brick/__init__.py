"""An NXT brick that answers LEGO's telegrams and moves simulated motors."""
