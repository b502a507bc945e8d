import { describe, expect, it } from 'vitest';
import { open, plugIn, realAnswers } from '../../../test/drivers/pi17/plugged-in.ts';
import { type PluggedIn, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { type Hardware, RejectedByHardware } from '../driver.ts';

const running = runningUntilTheEnd();

type Answers = Record<string, string | Buffer>;

/** An inverter that takes these commands, each of which changes its answers. */
async function connect(
  commands: Readonly<Record<string, (answers: Answers) => void>>,
): Promise<[PluggedIn, Hardware]> {
  const queries: Answers = { ...realAnswers(), HECS: '00,0,0,0,0,0,0,0,0' };
  const taken = Object.entries(commands).map(([command, change]) => [command, () => change(queries)]);
  const plugged = await plugIn({ queries, commands: Object.fromEntries(taken) });
  running.push(plugged);
  const hardware = await open(plugged);
  plugged.takeCommands();
  return [plugged, hardware];
}

const toField =
  (query: string, at: number, field: string) =>
  (answers: Answers): void => {
    answers[query] = String(answers[query]).split(',').with(at, field).join(',');
  };

describe.concurrent('settings of a PI17 inverter', () => {
  it.each([
    ['Solar power priority', 'Load/Battery/Grid', 'SEP01', 'HECS', 0, '01'],
    ['Solar charge', 'Enabled', 'EDA1', 'HECS', 1, '1'],
    ['Grid charge', 'Enabled', 'EDB1', 'HECS', 2, '1'],
    ['Export to grid', 'Enabled', 'EDC1', 'HECS', 3, '1'],
    ['Battery to load with PV', 'Enabled', 'EDD1', 'HECS', 4, '1'],
    ['Battery to load without PV', 'Enabled', 'EDE1', 'HECS', 5, '1'],
    ['Battery to grid with PV', 'Enabled', 'EDF1', 'HECS', 6, '1'],
    ['Battery to grid without PV', 'Enabled', 'EDG1', 'HECS', 7, '1'],
    ['Max charge current', 60, 'MCHGC0600', 'BATS', 0, '0600'],
    ['Max grid charge current', 10, 'MUCHGC0100', 'BATS', 16, '0100'],
  ])('%s: %s is sent once and read back', async (name, value, command, query, at, field) => {
    const [plugged, hardware] = await connect({ [command]: toField(query, at, field) });
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(plugged.takeCommands()).toEqual([query, 'ID', command, query]);
    expect(await read(hardware)).toHaveProperty([name], value);
  });

  it('a value in force is not sent again', async () => {
    const [plugged, hardware] = await connect({});
    expect(await hardware.write(0, 'Grid charge', 'Disabled')).toBe('Disabled');
    expect(plugged.takeCommands()).toEqual(['HECS', 'ID']);
  });

  it('a value that the inverter refuses rejects', async () => {
    const [plugged, hardware] = await connect({});
    await expect(hardware.write(0, 'Grid charge', 'Enabled')).rejects.toThrow(RejectedByHardware);
    expect(plugged.takeCommands()).toEqual(['HECS', 'ID', 'EDB1']);
  });

  it.each([
    ['Max charge current', 201],
    ['Battery float charge voltage', 54],
    ['Max discharge current', 100],
  ])('%s: %s is not sent', async (name, value) => {
    const [plugged, hardware] = await connect({});
    await expect(hardware.write(0, name, value)).rejects.toThrow(RejectedByHardware);
    expect(plugged.takeCommands()).toEqual([]);
  });

  it('a write whose answer is lost is read back and not repeated', async () => {
    const [plugged, hardware] = await connect({ EDB1: toField('HECS', 2, '1') });
    plugged.disturbFrom('EDB1', 'silent', 1);
    expect(await hardware.write(0, 'Grid charge', 'Enabled')).toBe('Enabled');
    expect(plugged.takeCommands().filter((command) => command === 'EDB1')).toHaveLength(1);
  });
});
