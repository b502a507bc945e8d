import { describe, expect, it, vi } from 'vitest';
import {
  observed,
  open,
  type PluggedIn,
  plugIn,
  read,
  scripted,
  simulated,
} from '../../../test/drivers/pi30/plugged-in.ts';
import { REAL } from '../../../test/drivers/pi30/real-answers.ts';
import { runningUntilTheEnd } from '../../../test/running.ts';
import { LinkDown, WriteUnanswered } from '../../bus/failures.ts';
import { type Hardware, RejectedByHardware } from '../driver.ts';
import { READ_BACK_AT_MS } from '../write-verified.ts';

/** A real one's flags, and the same with the buzzer on. */
const BUZZER_OFF = 'EbxDajkuvyz';
const BUZZER_ON = 'EabxDjkuvyz';

/** A real one's ratings with another output source priority. */
const ratingsWith = (priority: number): string =>
  `230.0 21.7 230.0 50.0 21.7 5000 4000 48.0 46.0 42.0 56.4 54.0 0 10 010 1 ${priority} 0 6 01 0 0 54.0 0 1`;

const running = runningUntilTheEnd();

/** A real one's answers and these; `act` may change them at a command, before it is answered. */
async function connectScripted(
  more: Record<string, string>,
  act: (command: string, answers: Record<string, string | Buffer>) => void = () => {},
): Promise<[PluggedIn, Hardware, Record<string, string | Buffer>]> {
  const answers: Record<string, string | Buffer> = { ...REAL, ...more };
  const plugged = await plugIn(observed(scripted(answers), (command) => act(command, answers)));
  running.push(plugged);
  const hardware = await open(plugged);
  plugged.takeCommands();
  return [plugged, hardware, answers];
}

async function connect(...options: Parameters<typeof simulated>): Promise<[PluggedIn, Hardware]> {
  const plugged = await plugIn(simulated(...options));
  running.push(plugged);
  const hardware = await open(plugged);
  plugged.takeCommands();
  return [plugged, hardware];
}

describe.concurrent('writeSetting of a PI30 inverter', () => {
  it.each([
    ['Output source priority', 'Solar first', 'POP01', 'QPIRI'],
    ['Charger source priority', 'Solar and utility', 'PCP02', 'QPIRI'],
    ['Battery type', 'Flooded', 'PBT01', 'QPIRI'],
    ['Input voltage range', 'Appliance', 'PGR00', 'QPIRI'],
    ['PV OK condition', 'All units', 'PPVOKC1', 'QPIRI'],
    ['Solar power balance', 'Disabled', 'PSPB0', 'QPIRI'],
    ['Max charge current', 40, 'MCHGC040', 'QPIRI'],
    ['Max charge current', 110, 'MNCHGC0110', 'QPIRI'],
    ['Max grid charge current', 2, 'MUCHGC002', 'QPIRI'],
    ['To grid battery voltage', 44, 'PBCV44.0', 'QPIRI'],
    ['Back to battery voltage', 0, 'PBDV00.0', 'QPIRI'],
    ['Back to battery voltage', 58, 'PBDV58.0', 'QPIRI'],
    ['Shutdown battery voltage', 42.3, 'PSDV42.3', 'QPIRI'],
    ['Battery absorption charge voltage', 58.4, 'PCVV58.4', 'QPIRI'],
    ['Battery float charge voltage', 53.5, 'PBFT53.5', 'QPIRI'],
    ['Power saving', 'Enabled', 'PEj', 'QFLAG'],
    ['Overload bypass', 'Enabled', 'PEb', 'QFLAG'],
    ['Buzzer', 'Disabled', 'PDa', 'QFLAG'],
  ])('%s: %s is sent once and read back', async (name, value, command, query) => {
    const [plugged, hardware] = await connect();
    expect(await hardware.write(0, name, value)).toBe(value);
    expect(plugged.takeCommands()).toEqual([query, 'QID', command, query]);
    expect(await read(hardware)).toHaveProperty([name], value);
  });

  it('a value in force is not sent again: every command wears the EEPROM', async () => {
    const [plugged, hardware] = await connect();
    expect(await hardware.write(0, 'Output source priority', 'SBU')).toBe('SBU');
    expect(plugged.takeCommands()).toEqual(['QPIRI', 'QID']);
  });

  it('a value that takes effect after several reads is returned', async () => {
    const [plugged, hardware] = await connect({ slowBy: 3 });
    expect(await hardware.write(0, 'Max charge current', 50)).toBe(50);
    expect(plugged.takeCommands().filter((command) => command.startsWith('M'))).toEqual(['MCHGC050']);
  });

  it('a value that takes effect at the last read-back is returned', async () => {
    let readBacks = Number.NaN;
    const [plugged, hardware] = await connectScripted(
      { QFLAG: BUZZER_OFF, PEa: 'ACK' },
      (command, answers) => {
        if (command === 'PEa') readBacks = 0;
        if (command === 'QFLAG') readBacks += 1;
        if (readBacks === READ_BACK_AT_MS.length) answers.QFLAG = BUZZER_ON;
      },
    );
    expect(await hardware.write(0, 'Buzzer', 'Enabled')).toBe('Enabled');
    expect(plugged.takeCommands()).toEqual(['QFLAG', 'QID', 'PEa', ...READ_BACK_AT_MS.map(() => 'QFLAG')]);
  });

  it('a value that the inverter chose itself is returned', async () => {
    const [plugged, hardware] = await connectScripted(
      { QPIRI: ratingsWith(0), POP01: 'ACK' },
      (command, answers) => {
        if (command === 'POP01') answers.QPIRI = ratingsWith(2);
      },
    );
    expect(await hardware.write(0, 'Output source priority', 'Solar first')).toBe('SBU');
    expect(plugged.takeCommands().filter((command) => command === 'POP01')).toHaveLength(1);
  });

  it('a value that never takes effect rejects although it was acknowledged', async () => {
    const [plugged, hardware] = await connect({ slowBy: 100 });
    const write = hardware.write(0, 'Max charge current', 50);
    await expect(write).rejects.toThrow('acknowledged 50 and kept Max charge current at 100');
    await expect(write).rejects.toThrow(RejectedByHardware);
    expect(plugged.takeCommands().filter((command) => command.startsWith('M'))).toHaveLength(1);
  });

  it('the polls after a write report the new value', async () => {
    const [, hardware] = await connect();
    await hardware.poll();
    await hardware.write(0, 'Max charge current', 50);
    for (let poll = 0; poll < 4; poll++)
      expect(await read(hardware)).toHaveProperty('Max charge current', 50);
  });

  it('a setting of a parallel system is sent with the number of its inverter', async () => {
    const serials = ['92931905100001', '92931905100002'];
    const [plugged, hardware] = await connect({ serials, cableTo: 1 });
    await hardware.write(1, 'Charger source priority', 'Solar only');
    await hardware.write(1, 'Max charge current', 30);
    await hardware.write(1, 'Max grid charge current', 10);
    expect(plugged.takeCommands()).toEqual(expect.arrayContaining(['PPCP103', 'MCHGC130', 'MUCHGC110']));
    plugged.takeCommands();
    await expect(hardware.write(0, 'Max charge current', 20)).rejects.toThrow(/slave of a parallel system/);
    expect(plugged.takeCommands()).toEqual([]);
  });
});

describe.concurrent('refused settings of a PI30 inverter', () => {
  it.each([
    [
      'a value that the inverter refuses rejects with the known reason',
      'To grid battery voltage',
      51,
      /refused 51 .*below the back to/,
    ],
    [
      'a value that the inverter refuses in operation rejects',
      'Output frequency',
      '60 Hz',
      /refused 60 Hz .*standby/,
    ],
  ])('%s', async (_name, name, value, message) => {
    const [, hardware] = await connect();
    if (name === 'To grid battery voltage') await hardware.write(0, 'Back to battery voltage', 50);
    const write = hardware.write(0, name, value);
    await expect(write).rejects.toThrow(RejectedByHardware);
    await expect(write).rejects.toThrow(message);
  });

  it('a value that the inverter refuses without a known reason rejects', async () => {
    const [plugged, hardware] = await connectScripted({ QFLAG: BUZZER_OFF, PEa: 'NAK' });
    await expect(hardware.write(0, 'Buzzer', 'Enabled')).rejects.toThrow(
      new RejectedByHardware('the inverter refused Enabled for Buzzer'),
    );
    expect(plugged.takeCommands()).toEqual(['QFLAG', 'QID', 'PEa']);
  });

  it.each([
    ['that the inverter refuses to read twice', 'NAK', ['QFLAG', 'QFLAG']],
    ['that the inverter no longer reports', 'EbxDjkuvyz', ['QFLAG']],
  ])('a setting %s is not written', async (_case, flags, commands) => {
    const [plugged, hardware, answers] = await connectScripted({ QFLAG: BUZZER_OFF, PEa: 'ACK' });
    answers.QFLAG = flags;
    await expect(hardware.write(0, 'Buzzer', 'Enabled')).rejects.toThrow(
      new RejectedByHardware('Buzzer cannot be read, so it was not written'),
    );
    expect(plugged.takeCommands()).toEqual(commands);
  });

  it.each([
    ['between the values of a list', 'Back to battery voltage', 20, /takes 0, 48, 49,/],
    [
      'beyond what is known of a command',
      'Battery type',
      'Pylontech',
      /takes AGM, Flooded, User and not Pylontech/,
    ],
    ['without a confirmed command', 'Export to grid', 'Disabled', /the command for it is not confirmed/],
    ['without a confirmed command, as a number', 'Max discharge current', 100, /cannot be written/],
  ])('a value is not sent: %s', async (_name, name, value, message) => {
    const [plugged, hardware] = await connect();
    const write = hardware.write(0, name, value);
    await expect(write).rejects.toThrow(RejectedByHardware);
    await expect(write).rejects.toThrow(message);
    expect(plugged.takeCommands()).toEqual([]);
  });

  it('a quantity that is no setting throws a RangeError', async () => {
    const [, hardware] = await connect();
    await expect(hardware.write(0, 'PV power', 1)).rejects.toThrow(RangeError);
    await expect(hardware.write(3, 'Buzzer', 'Enabled')).rejects.toThrow(RangeError);
  });

  it('a voltage without known bounds is read-only', async () => {
    const QPIRI =
      '230.0 13.0 230.0 50.0 13.0 3000 2400 24.0 23.0 21.0 28.2 27.0 0 30 50 0 2 1 - 01 1 0 26.0 0 0';
    const QPIGS =
      '230.0 50.0 230.0 50.0 0100 0100 003 400 26.00 000 050 0040 00.0 000.0 00.00 00004 00010000';
    const plugged = await plugIn(scripted({ QPI: 'PI30', QMOD: 'B', QPIGS, QPIRI }));
    running.push(plugged);
    const [unit] = (await open(plugged)).units;
    const setting = (name: string) => unit?.quantities.find((each) => each.name === name);
    expect(setting('Back to battery voltage')?.setting).toEqual({
      kind: 'number',
      min: 0,
      max: 29,
      step: 0.5,
    });
    expect(setting('Shutdown battery voltage')).toMatchObject({
      readOnlyReason: 'which values it takes is not known for this battery voltage',
    });
    expect(setting('Shutdown battery voltage')).not.toHaveProperty('setting');
  });
});

describe.concurrent('writeSetting of a PI30 inverter on a bad line', () => {
  it.each(['silent', 'corrupt', 'truncate', 'cut'] as const)(
    'a write without a good answer (%s) is read back and not repeated',
    async (fault) => {
      const [plugged, hardware] = await connect();
      plugged.disturbFrom('PDa', fault, 1);
      expect(await hardware.write(0, 'Buzzer', 'Disabled')).toBe('Disabled');
      expect(plugged.takeCommands().filter((command) => command === 'PDa')).toHaveLength(1);
    },
  );

  it('a line that stays silent after a write leaves the outcome unknown', async () => {
    const [plugged, hardware] = await connect();
    plugged.disturbFrom('PDa', 'silent');
    await expect(hardware.write(0, 'Buzzer', 'Disabled')).rejects.toMatchObject({
      name: 'WriteUnanswered',
      reason: 'the hardware did not answer',
    });
    expect(plugged.takeCommands().filter((command) => command === 'PDa')).toHaveLength(1);
  });

  it('a read-back without an answer is made again', async () => {
    const [plugged, hardware] = await connect();
    plugged.disturbFrom('QFLAG', 'silent', 1, 2);
    expect(await hardware.write(0, 'Buzzer', 'Disabled')).toBe('Disabled');
    expect(plugged.takeCommands()).toEqual(['QFLAG', 'QID', 'PDa', 'QFLAG', 'QFLAG']);
  });

  it('a write that cannot be read back leaves the outcome unknown and is not repeated', async () => {
    const [plugged, hardware] = await connect();
    const write = hardware.write(0, 'Buzzer', 'Disabled');
    // The second query of the flags is the first read-back.
    plugged.disturbFrom('QFLAG', 'silent', undefined, 2);
    await expect(write).rejects.toThrow(WriteUnanswered);
    await expect(write).rejects.toMatchObject({
      message: expect.stringContaining('Buzzer was written and could not be confirmed: '),
      cause: expect.any(LinkDown),
    });
    expect(plugged.takeCommands()).toEqual(['QFLAG', 'QID', 'PDa', ...READ_BACK_AT_MS.map(() => 'QFLAG')]);
  });

  it('a write whose read-backs are all refused leaves the outcome unknown and is not repeated', async () => {
    const [plugged, hardware] = await connectScripted({ PEa: 'ACK' }, (command, answers) => {
      if (command === 'PEa') answers.QFLAG = 'NAK';
    });
    const write = hardware.write(0, 'Buzzer', 'Enabled');
    await expect(write).rejects.toThrow(WriteUnanswered);
    await expect(write).rejects.toThrow(/Buzzer cannot be read any more/);
    expect(plugged.takeCommands()).toEqual([
      'QFLAG',
      'QID',
      'PEa',
      ...READ_BACK_AT_MS.flatMap(() => ['QFLAG', 'QFLAG']),
    ]);
  });

  it('a value is not sent when the inverter cannot be read first', async () => {
    const [plugged, hardware] = await connect();
    plugged.faults.behave('silent');
    await expect(hardware.write(0, 'Buzzer', 'Disabled')).rejects.toThrow(LinkDown);
    expect(plugged.takeCommands()).toEqual(['QFLAG']);
  });

  it('a value is not sent after its write was aborted', async () => {
    const [plugged, hardware] = await connect();
    const late = new AbortController();
    const onSend = vi.fn();
    const write = hardware.write(0, 'Buzzer', 'Disabled', late.signal, onSend);
    late.abort();
    await expect(write).rejects.toThrow(LinkDown);
    expect(onSend).not.toHaveBeenCalled();
    await hardware.write(0, 'Buzzer', 'Enabled');
    expect(plugged.takeCommands().filter((command) => command.startsWith('P'))).toEqual([]);
  });
});
