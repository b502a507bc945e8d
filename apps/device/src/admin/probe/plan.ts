import type { ProbeBody } from '@heliograph/contracts';
import { ValidationError } from '@heliograph/kit';
import { BadAddress, type BusAddress, parseBusAddress } from '../../bus/address.ts';
import type { DriverFamily } from '../../drivers/driver.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { type Attempt, attemptsAt } from './attempts.ts';
import { ownPorts } from './ports.ts';
import { type RemoteScope, remoteRefusal } from './remote-scope.ts';

/** A bus, and what is to be tried there. */
export interface PlannedBus {
  readonly address: BusAddress;
  readonly attempts: readonly Attempt[];
}

/**
 * The buses that a request covers: its own, or every port of the machine that one of the drivers may be connected to.
 *
 * @param reachable the addresses that the caller may name; left out, any
 * @throws ValidationError when it names a bus or a driver that there is not, or that the caller may not name
 */
export async function chosenAttempts(
  { bus, driver, unit }: ProbeBody,
  reachable?: RemoteScope,
): Promise<readonly PlannedBus[]> {
  const families = await chosenFamilies(driver);
  const addresses = bus === undefined ? await ownPorts() : [addressOf(bus)];
  const [named] = addresses;
  if (bus !== undefined && named !== undefined && reachable !== undefined) {
    const refusal = remoteRefusal(named, reachable);
    if (refusal !== undefined) throw new ValidationError({ bus: [refusal] });
  }
  const planned = addresses
    .map((address) => ({ address, attempts: attemptsAt(address, families, unit) }))
    .filter(({ attempts }) => attempts.length > 0);
  if (bus !== undefined && planned.length === 0) {
    throw new ValidationError({ bus: [`is not how ${driver ?? 'any of the drivers'} is connected`] });
  }
  return planned;
}

async function chosenFamilies(name: string | undefined): Promise<readonly DriverFamily[]> {
  const families = await loadFamilies();
  if (name === undefined) return [...families.values()];
  const family = families.get(name);
  if (family !== undefined) return [family];
  throw new ValidationError({ driver: [`is none of ${[...families.keys()].join(', ')}`] });
}

function addressOf(text: string): BusAddress {
  try {
    return parseBusAddress(text);
  } catch (error) {
    if (error instanceof BadAddress) throw new ValidationError({ bus: [error.message] });
    throw error;
  }
}
