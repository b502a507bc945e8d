import type { ScryptCost } from '../../../src/admin/backup/backup-key.ts';

/** Little: tests derive many keys. */
export const KEY_COST: ScryptCost = { logN: 4, r: 8, p: 1 };
