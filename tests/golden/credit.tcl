# Runs a reference design's script (env GOLDEN_SCRIPT) with options of common path credit (env GOLDEN_CREDIT).
set_common_path_credit {*}$env(GOLDEN_CREDIT) on
source $env(GOLDEN_SCRIPT)
