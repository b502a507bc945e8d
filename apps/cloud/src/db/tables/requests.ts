import type { JSONColumnType } from 'kysely';

export interface RequestsTables {
  idempotent_requests: IdempotentRequestTable;
  rate_limits: RateLimitTable;
}

interface IdempotentRequestTable {
  user_id: number;
  path: string;
  key: string;
  digest: Buffer;
  answer: JSONColumnType<object, string | null, string> | null;
  created_at: Date;
}

interface RateLimitTable {
  key: string;
  points: number;
  expire: string | null;
}
