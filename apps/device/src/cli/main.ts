// Devices that were installed by release 0.1 start their updates here: their unit is not replaced by an update.
import '../admin/cli/main.ts';
