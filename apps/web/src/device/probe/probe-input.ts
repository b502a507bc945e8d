import type { ProbeBody } from '@heliograph/client';

/** Choices of a place: everywhere, a port of the machine, or a typed address. */
export interface ProbeInput {
  /** `all`, `address`, or the address of a port. */
  readonly place: string;
  readonly address: string;
  /** Empty: whatever answers. */
  readonly driver: string;
}

export const EVERYWHERE = 'all';
export const TYPED = 'address';

export function bodyOf({ place, address, driver }: ProbeInput): ProbeBody {
  const bus = place === TYPED ? address.trim() : place;
  return {
    ...(place !== EVERYWHERE && { bus }),
    ...(driver !== '' && { driver }),
  };
}
