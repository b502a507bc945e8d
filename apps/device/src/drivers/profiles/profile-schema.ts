import { UNIT_NAMES } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';

/** The format of a profile: a YAML file that describes one family of Modbus hardware. */

const Register = Type.Integer({ minimum: 0, maximum: 0xffff });
const Content = Type.Integer({ minimum: 0, maximum: 0xffff });
const Bits = Type.Integer({ minimum: 1, maximum: 0xffff });
const Name = Type.String({ minLength: 1 });
const Table = Type.Union([Type.Literal('holding'), Type.Literal('input')], {
  description: 'holding registers (function 3) or input registers (function 4)',
});
const Labels = Type.Record(Type.String({ pattern: '^[0-9]+$' }), Name, { additionalProperties: false });

const Condition = Type.Object(
  {
    at: Register,
    table: Type.Optional(Table),
    mask: Type.Optional(Bits),
    is: Type.Optional(Type.Array(Content, { description: 'the contents that fulfil it' })),
    from: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0xffff, description: 'the least content that fulfils it' }),
    ),
    to: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 0xffff, description: 'the highest content that fulfils it' }),
    ),
  },
  { additionalProperties: false },
);
export type Condition = Static<typeof Condition>;

const Place = {
  name: Type.String({
    minLength: 1,
    pattern: '^[^/#+]*$',
    description: 'its topic is made of it, so it has none of / # +',
  }),
  at: Type.Optional(Type.Integer({ minimum: 0, maximum: 0xffff, description: 'the first register' })),
  table: Type.Optional(Table),
  word_order: Type.Optional(Type.Union([Type.Literal('high first'), Type.Literal('low first')])),
  unit: Type.Optional(Type.Enum(['W', 'VA', 'var', 'V', 'A', 'Hz', '%', '°C', 'kWh', 'Ah', 's'])),
  scale: Type.Optional(Type.Number({ description: 'the value of one count in the unit' })),
  scale_by: Type.Optional(
    Type.Object(
      {
        at: Register,
        table: Type.Optional(Table),
        scales: Type.Union([
          Type.Literal('powers of ten', { description: 'the content is an exponent, -10 to 10' }),
          Type.Record(Type.String({ pattern: '^[0-9]+$' }), Type.Number(), {
            additionalProperties: false,
          }),
        ]),
      },
      { additionalProperties: false, description: 'a factor by the content of a register' },
    ),
  ),
  decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 4 })),
  mask: Type.Optional(Bits),
  labels: Type.Optional(Labels),
  when: Type.Optional(Condition),
  source: Type.Optional(Type.String({ description: 'where the fact is from' })),
  confirmed: Type.Optional(Type.Boolean({ description: 'false where one source alone has it' })),
  remark: Type.Optional(Type.String()),
};

export const ProfileReading = Type.Object(
  {
    ...Place,
    type: Type.Optional(
      Type.Enum([
        'u16',
        's16',
        'u32',
        's32',
        'u64',
        'f32',
        'code',
        'flags',
        'text',
        'characters',
        'version',
        'clock',
      ]),
    ),
    length: Type.Optional(Type.Integer({ minimum: 1, maximum: 64, description: 'of a text, in registers' })),
    zero: Type.Optional(Type.Integer({ description: 'the count that stands for zero' })),
    no_value: Type.Optional(
      Type.Array(Type.Integer(), { description: 'contents that mean that there is no value' }),
    ),
    when_no_value: Type.Optional(
      Type.Number({
        description: 'the value that such contents stand for, such as 0 of an input without sun',
      }),
    ),
    opposite: Type.Optional(
      Type.Literal(true, { description: 'the hardware counts in the other direction' }),
    ),
    direction: Type.Optional(
      Type.Object(
        {
          at: Register,
          table: Type.Optional(Table),
          positive: Type.Optional(Bits),
          negative: Type.Optional(Bits),
        },
        {
          additionalProperties: false,
          description:
            'the number is an amount: positive while one of these bits is set, or negative while one of those is',
        },
      ),
    ),
    sum: Type.Optional(
      Type.Array(Name, {
        description: 'readings that are added; "-" before one subtracts, "?" after it allows its absence',
      }),
    ),
    product: Type.Optional(Type.Array(Name, { description: 'readings that are multiplied' })),
    counter: Type.Optional(Type.Union([Type.Literal('day'), Type.Literal('lifetime')])),
    group: Type.Optional(Type.Union([Type.Literal('Status'), Type.Literal('Info'), Type.Literal('Ignore')])),
    none: Type.Optional(Type.String({ description: 'the text of flags while none is set' })),
    silent_where_absent: Type.Optional(
      Type.Literal(true, { description: 'hardware without it may keep silent to a request for it' }),
    ),
    min: Type.Optional(Type.Number({ description: 'a value below it is not believed' })),
    max: Type.Optional(Type.Number({ description: 'a value above it is not believed' })),
  },
  { additionalProperties: false },
);
export type ProfileReading = Static<typeof ProfileReading>;

export const ProfileSetting = Type.Object(
  {
    ...Place,
    at: Register,
    type: Type.Enum([
      'u16',
      's16',
      'u32',
      's32',
      'code',
      'switch',
      'hhmm',
      'hours and minutes',
      'minutes and hours',
    ]),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    step_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
  },
  { additionalProperties: false },
);
export type ProfileSetting = Static<typeof ProfileSetting>;

export const DriverProfile = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-z][a-z0-9-]*$',
      description: 'a driver has a name of small letters, digits and hyphens',
    }),
    title: Type.String({ minLength: 1, description: 'the makers, as people know them' }),
    kind: Type.Optional(Type.Enum(Object.values(UNIT_NAMES))),
    protocols: Type.Optional(Type.Array(Name, { description: 'values of "protocol" in recordings of it' })),
    sources: Type.Record(Type.String({ minLength: 1 }), Type.String({ minLength: 1 })),
    line: Type.Optional(
      Type.Object(
        {
          baud: Type.Integer({ minimum: 300, maximum: 921_600 }),
          parity: Type.Optional(
            Type.Union([Type.Literal('none'), Type.Literal('even'), Type.Literal('odd')]),
          ),
          stop_bits: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2)])),
        },
        { additionalProperties: false },
      ),
    ),
    udp: Type.Optional(
      Type.Literal(true, { description: 'a module of the maker takes Modbus RTU in datagrams, as GoodWe' }),
    ),
    unit: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 255, description: 'the unit (slave) id as delivered' }),
    ),
    table: Type.Optional(Table),
    word_order: Type.Optional(Type.Union([Type.Literal('high first'), Type.Literal('low first')])),
    max_read: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 125, description: 'registers in one request' }),
    ),
    max_gap: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 124, description: 'unneeded registers read along' }),
    ),
    write: Type.Optional(
      Type.Union([Type.Literal('one'), Type.Literal('several')], {
        description: 'function 6 or 16 for one register; a setting of two registers takes 16',
      }),
    ),
    no_value: Type.Optional(
      Type.Object(
        {
          u16: Type.Optional(Type.Array(Type.Integer())),
          s16: Type.Optional(Type.Array(Type.Integer())),
          u32: Type.Optional(Type.Array(Type.Integer())),
          s32: Type.Optional(Type.Array(Type.Integer())),
          u64: Type.Optional(Type.Array(Type.Integer())),
        },
        { additionalProperties: false, description: 'contents that mean that there is no value, by type' },
      ),
    ),
    identity: Type.Array(Condition, {
      minItems: 1,
      description: 'by which the hardware is recognised; all must hold',
    }),
    serial_number: Type.Optional(Type.String({ description: 'the reading that has it' })),
    model: Type.Optional(
      Type.Object(
        { at: Register, table: Type.Optional(Table), labels: Labels },
        { additionalProperties: false, description: 'model names by the content of a register' },
      ),
    ),
    readings: Type.Array(ProfileReading, { minItems: 1 }),
    settings: Type.Optional(Type.Array(ProfileSetting)),
  },
  { additionalProperties: false },
);
export type DriverProfile = Static<typeof DriverProfile>;
