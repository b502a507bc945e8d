import type { Clock } from '@heliograph/kit';
import { BatteryHardware } from '../battery-hardware.ts';
import type { Hardware } from '../driver.ts';
import type { Entry } from '../entries.ts';
import { type BatteryCommand, type BatteryLine, readCommand, readIfKnown } from './battery-command.ts';

/** The commands by which a battery is read. */
export interface BatteryCommands {
  /** The command of every poll by which the battery is recognised. */
  readonly status: BatteryCommand;
  /** Further commands of every poll, which some batteries do not know. */
  readonly extras: readonly BatteryCommand[];
  /** Commands of which each poll repeats one. */
  readonly constants: readonly BatteryCommand[];
}

/** @throws LinkDown when nothing answers, NotRecognised when the battery refuses its status */
export function openBattery(
  line: BatteryLine,
  { status, extras, constants }: BatteryCommands,
  clock: Clock,
): Promise<Hardware> {
  const read = (command: BatteryCommand) => (): Promise<readonly Entry[]> => readIfKnown(line, command);
  const reader = {
    status: () => readCommand(line, status),
    extras: extras.map(read),
    slow: constants.map((command) => ({ unit: 0, read: read(command) })),
  };
  return BatteryHardware.open(reader, clock);
}
