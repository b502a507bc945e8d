import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { problems, settings } from '../../test/config/check-text.ts';

/** 20,000 lines. */
const lines = (line: (at: number) => string): string =>
  Array.from({ length: 20_000 }, (_, at) => line(at)).join('\n');

describe('checkConfig', () => {
  it('a whole configuration file is read', () => {
    const read = settings(`
poll_interval_s: 0.5
time_zone: Australia/Lord_Howe
energy_period: monthly
setting_writes_per_day: 20
history: { max_size_mb: 64 }
mdns: false
mqtt:
  url: mqtts://broker.example:8883
  username: me
  password: "1234"
  allow_writes: true
  home_assistant: false
  topic_prefix: home/sun
connections:
  - driver: sunspec
    bus: modbus-tcp://Inverter.local
  - driver: chooser
    bus: modbus-rtu:///dev/ttyUSB0?baud=9600
    unit: 3
    options: { phases: 3 }
`);
    expect(read).toEqual({
      pollIntervalMs: 500,
      timeZone: 'Australia/Lord_Howe',
      energyPeriod: 'monthly',
      settingWrites: { perDay: 20 },
      history: { maxSizeMb: 64 },
      alertRules: [],
      notifications: [],
      mdns: false,
      channel: undefined,
      automaticUpdates: undefined,
      mqtt: {
        url: 'mqtts://broker.example:8883',
        username: 'me',
        password: '1234',
        allowWrites: true,
        homeAssistant: false,
        topicPrefix: 'home/sun',
        discoveryPrefix: 'homeassistant',
      },
      connections: [
        {
          driver: 'sunspec',
          address: { transport: 'modbus-tcp', host: 'inverter.local', port: 502 },
          unit: undefined,
          options: {},
          url: 'sunspec+modbus-tcp://inverter.local:502',
        },
        {
          driver: 'chooser',
          address: expect.objectContaining({ transport: 'modbus-rtu', path: '/dev/ttyUSB0', baudRate: 9600 }),
          unit: 3,
          options: { phases: 3 },
          url: 'chooser+modbus-rtu:///dev/ttyUSB0#3',
        },
      ],
    });
  });

  it.each(['', '# nothing but a comment', 'connections:', 'mqtt:\nhistory:\n'])(
    'a file may be empty: %j',
    (text) => {
      expect(settings(text)).toEqual(settings('{}'));
    },
  );

  it('the check itself never fails, whatever the file holds', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.jsonValue().map((json) => JSON.stringify(json)),
    );
    const name = fc.constantFrom(
      'connections',
      'mqtt',
      'history',
      'time_zone',
      'poll_interval_s',
      'mdns',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value)), (lines) => {
        const text = lines.map(([key, content]) => `${key}: ${content}`).join('\n');
        for (const problem of problems(text)) expect(problem).toMatch(/^\d+:\d+ .*: ./s);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void problems(text)));
  });
});

describe('checkConfig with an invalid file', () => {
  it.each([
    [
      'a name that there is not',
      'pol_interval_s: 2',
      '1:1 pol_interval_s: there is no setting of this name; did you mean "poll_interval_s"?',
    ],
    [
      'a receiver of no kind',
      'notifications:\n  - severity: critical',
      '2:5 notifications[0]: needs one of "ntfy" and "smtp"',
    ],
    [
      'a receiver of two kinds',
      'notifications:\n  - ntfy: https://n.example/a\n    smtp: smtp://m.example',
      '2:5 notifications[0]: needs one of "ntfy" and "smtp"',
    ],
    [
      'a mail server without addresses',
      'notifications:\n  - smtp: smtp://m.example\n    from: a@b.c',
      '2:5 notifications[0]: needs "to", too',
    ],
    [
      'a mail server with a token',
      'notifications:\n  - smtp: smtp://m.example\n    from: a@b.c\n    to: [d@e.f]\n    token: x',
      '5:12 notifications[0].token: does not belong to "smtp"',
    ],
    [
      'a user without a password',
      'notifications:\n  - smtp: smtp://m.example\n    from: a@b.c\n    to: [d@e.f]\n    username: x',
      '2:5 notifications[0]: needs both of "username" and "password", or none',
    ],
    [
      'a rule of no kind',
      'alert_rules:\n  - id: mine\n    limit: 3',
      '2:9 alert_rules[0].id: mine is no built-in rule, and one of your own needs a "kind"',
    ],
    [
      'a rule without a limit',
      'alert_rules:\n  - {id: mine, kind: above, topics: [total/pv_power]}',
      /^2:5 alert_rules\[0\].*: is missing: above needs it$/,
    ],
    [
      'a rule that clears before its limit',
      'alert_rules:\n  - id: battery_low\n    clear_limit: 3',
      '3:18 alert_rules[0].clear_limit: must be at least the limit',
    ],
    [
      'a name far from any',
      '\nfoo: 1',
      /^2:1 foo: there is no setting of this name; what there is: poll_interval_s, /,
    ],
    [
      'a name below another',
      'mqtt:\n  url: mqtt://b\n  usrname: x',
      '3:3 mqtt.usrname: there is no setting of this name; did you mean "username"?',
    ],
    ['text for a number', 'poll_interval_s: 2s', '1:18 poll_interval_s: must be a number, not "2s"'],
    [
      'too small a number',
      'poll_interval_s: 0.01',
      '1:18 poll_interval_s: must be from 0.05 to 3600, not 0.01',
    ],
    [
      'half a number',
      'history:\n  max_size_mb: 64.5',
      '2:16 history.max_size_mb: must be a whole number, not 64.5',
    ],
    ['yes for true', 'mdns: yes', '1:7 mdns: must be true or false, not "yes"'],
    [
      'an unknown period',
      'energy_period: yearly',
      '1:16 energy_period: must be daily, weekly or monthly, not "yearly"',
    ],
    [
      'a town for a time zone',
      'time_zone: Berlin',
      '1:12 time_zone: must be a time zone such as Europe/Berlin, not "Berlin"',
    ],
    [
      'text for a list',
      'connections: sunspec',
      '1:14 connections: must be a list, each entry beginning with "-", not "sunspec"',
    ],
    [
      'a broker whose address is wrong, without the password in it',
      'mqtt: {url: "mqtt://me:pw@b:99999"}',
      /not "mqtt:\/\/…@b:99999"$/,
    ],
    [
      'a web address for a broker',
      'mqtt: {url: "http://b"}',
      /^1:13 mqtt.url: must be a broker such as mqtt:\/\/192.168.1.5:1883/,
    ],
    [
      'a user in the broker’s address',
      'mqtt: {url: "mqtt://me:pw@b"}',
      '1:13 mqtt.url: must not name a user: "username" and "password" do, below it',
    ],
    [
      'a wildcard in a topic',
      'mqtt: {url: mqtt://b, topic_prefix: a/#}',
      /^1:37 mqtt.topic_prefix: cannot be "a\/#"/,
    ],
    ['a missing field', 'mqtt:\n  allow_writes: true', '2:3 mqtt.url: is missing'],
    ['a list for the whole', '- a', /^1:1 : the file must hold names with values/],
    [
      'an indentation by tab',
      'mqtt:\n\turl: mqtt://b',
      '2:1 : lines must be indented with spaces, not with tabs',
    ],
    ['a name that is there twice', 'mdns: true\nmdns: false', '2:1 : this name is there twice'],
    ['a quote that does not end', 'time_zone: "Europe', /^1:\d+ : this cannot be read as YAML/],
    ['two documents', 'mdns: true\n---\nmdns: false', /^2:1 : there must be one document/],
    ['a tag', 'time_zone: !secret zone', /^1:12 : tags such as "!secret" mean nothing here/],
    [
      'an alias of nothing',
      'mdns: true\ntime_zone: *zone',
      '2:12 : "*zone" refers to "&zone", which is not above it',
    ],
    [
      'an alias that contains itself',
      'connections: &all\n  - *all',
      '2:5 : "*all" and others like it say too much, or contain themselves',
    ],
    [
      'a merge, without what would be missing for it',
      'connections:\n  - &a {driver: sunspec, bus: "modbus-tcp://a"}\n  - <<: *a\n    unit: 2',
      '3:5 : "<<" brings nothing in here: write out what should stand in its place',
    ],
    [
      'too many names',
      lines((at) => `k${at}: 1`),
      /^2001:\d+ : more than 2000 names or values are in one place$/,
    ],
    ['too many values', `a: [${'1,'.repeat(3_000)}]`, /^1:\d+ : more than 2000 names or values/],
    ['too many comments', `a:\n${lines(() => '# x')} 1`, /more than 5000 comments or line breaks/],
    ['too many characters', '# '.repeat(300_000), /the file has more than 524288 characters/],
    ['too many brackets', '['.repeat(5_000), /^1:\d+ : this is nested too deeply/],
  ])('%s', (_what, text, expected) => {
    expect(problems(text)).toEqual([
      typeof expected === 'string' ? expected : expect.stringMatching(expected),
    ]);
  });

  it('a bomb of aliases is refused with its position', () => {
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefgh'.split('').map((name, index) => {
        const before = `*${'abcdefg'[index]}`;
        return `${name}: &${name} [${Array(9).fill(before).join(',')}]`;
      }),
    ].join('\n');
    expect(problems(bomb)).toEqual(['2:8 : "*a" and others like it say too much, or contain themselves']);
  });

  it('a problem of a secret does not reveal it', () => {
    expect(problems('mqtt: {url: mqtt://b, password: 1234}')).toEqual([
      '1:33 mqtt.password: must be text; put it in quotes',
    ]);
  });

  it('all problems are reported at once, in the order of the lines', () => {
    const text = `
connections:
  - driver: sunspc
    bus: modbus-tcp://10.0.0.2:99999
    unti: 3
  - driver: sunspec
mdns: perhaps
`;
    expect(problems(text).map((problem) => problem.split(': ')[0])).toEqual([
      '3:13 connections[0].driver',
      '4:10 connections[0].bus',
      '5:5 connections[0].unti',
      '6:5 connections[1].bus',
      '7:7 mdns',
    ]);
  });
});
