import { describe, expect, it } from 'vitest';
import { open, plugIn, ratings, realAnswers } from '../../../test/drivers/pi18/plugged-in.ts';
import { type PluggedIn, read } from '../../../test/drivers/voltronic/plugged-in.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown } from '../../bus/failures.ts';
import { type Hardware, RejectedByHardware } from '../driver.ts';

const running = runningUntilTheEnd();

type Answers = Record<string, string | Buffer>;

/** An inverter that takes these commands, each of which changes its answers. */
async function connect(
  commands: Readonly<Record<string, (answers: Answers) => void>>,
): Promise<[PluggedIn, Hardware]> {
  const queries = realAnswers();
  const taken = Object.entries(commands).map(([command, change]) => [command, () => change(queries)]);
  const plugged = await plugIn({ queries, commands: Object.fromEntries(taken) });
  running.push(plugged);
  const hardware = await open(plugged);
  plugged.takeCommands();
  return [plugged, hardware];
}

const toRatings =
  (at: number, field: string) =>
  (answers: Answers): void => {
    answers.PIRI = String(answers.PIRI).split(',').with(at, field).join(',');
  };
const toFlag =
  (at: number, field: string) =>
  (answers: Answers): void => {
    answers.FLAG = String(answers.FLAG).split(',').with(at, field).join(',');
  };

describe.concurrent('settings of a PI18 inverter', () => {
  it.each([
    ['Output source priority', 'SUB', 'POP0', 'PIRI', toRatings(17, '0')],
    ['Charger source priority', 'Solar and utility', 'PCP0,1', 'PIRI', toRatings(18, '1')],
    ['Solar power priority', 'Battery/Load/Utility', 'PSP0', 'PIRI', toRatings(23, '0')],
    ['Battery type', 'Flooded', 'PBT1', 'PIRI', toRatings(13, '1')],
    ['Input voltage range', 'UPS', 'PGR1', 'PIRI', toRatings(16, '1')],
    ['Max charge current', 40, 'MCHGC0,040', 'PIRI', toRatings(15, '040')],
    ['Max grid charge current', 10, 'MUCHGC0,010', 'PIRI', toRatings(14, '010')],
    ['Shutdown battery voltage', 44.5, 'PSDV445', 'PIRI', toRatings(10, '445')],
    ['Overload bypass', 'Enabled', 'PEB', 'FLAG', toFlag(1, '1')],
    ['LCD backlight', 'Disabled', 'PDF', 'FLAG', toFlag(5, '0')],
  ] as const)('%s: %s is sent once and read back', async (name, value, command, query, change) => {
    const [plugged, hardware] = await connect({ [command]: change });
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(plugged.takeCommands()).toEqual([query, 'ID', command, query]);
    expect(await read(hardware)).toHaveProperty([name], value);
  });

  it('a value in force is not sent again: every command wears the EEPROM', async () => {
    const [plugged, hardware] = await connect({});
    expect(await hardware.write(0, 'Output source priority', 'SBU')).toBe('SBU');
    expect(plugged.takeCommands()).toEqual(['PIRI', 'ID']);
  });

  it('a value that the inverter refuses rejects with the known reason', async () => {
    const [plugged, hardware] = await connect({});
    const write = hardware.write(0, 'Max grid charge current', 20);
    await expect(write).rejects.toThrow(RejectedByHardware);
    await expect(write).rejects.toThrow(/refused 20 .*some models refuse every value/);
    expect(plugged.takeCommands()).toEqual(['PIRI', 'ID', 'MUCHGC0,020']);
  });

  it('a value that never takes effect rejects although it was acknowledged', async () => {
    const [, hardware] = await connect({ POP0: () => {} });
    await expect(hardware.write(0, 'Output source priority', 'SUB')).rejects.toThrow(
      'acknowledged SUB and kept Output source priority at SBU',
    );
  });

  it('a current that the inverter does not list is not sent', async () => {
    const [plugged, hardware] = await connect({});
    await expect(hardware.write(0, 'Max charge current', 65)).rejects.toThrow(RejectedByHardware);
    expect(plugged.takeCommands()).toEqual([]);
  });

  it.each(['silent', 'corrupt', 'truncate'] as const)(
    'a write whose answer is lost (%s) is read back and not repeated',
    async (fault) => {
      const [plugged, hardware] = await connect({ POP0: toRatings(17, '0') });
      plugged.disturbFrom('POP0', fault, 1);
      expect(await hardware.write(0, 'Output source priority', 'SUB')).toBe('SUB');
      expect(plugged.takeCommands().filter((command) => command === 'POP0')).toHaveLength(1);
    },
  );

  it('nothing is written when the setting cannot be read before', async () => {
    const [plugged, hardware] = await connect({ POP0: toRatings(17, '0') });
    plugged.faults.behave('silent');
    await expect(hardware.write(0, 'Output source priority', 'SUB')).rejects.toThrow(LinkDown);
    expect(plugged.takeCommands()).not.toContain('POP0');
  });

  it('a battery type that was set on the screen is an option that cannot be written', async () => {
    const plugged = await plugIn({
      queries: { ...realAnswers(), PIRI: ratings().replace(',2,050', ',3,050') },
    });
    running.push(plugged);
    const hardware = await open(plugged);
    expect(await read(hardware)).toHaveProperty('Battery type', 'Pylontech');
    await expect(hardware.write(0, 'Battery type', 'Pylontech')).rejects.toThrow(/takes AGM, Flooded, User/);
  });
});
