"""Speed and memory, as ratios within one run, so that a slow or busy machine changes them little."""
