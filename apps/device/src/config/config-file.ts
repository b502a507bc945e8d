import { ALERT_SEVERITIES, LOCALES, OWN_CONDITION_KINDS } from '@heliograph/contracts';
import { RELEASE_CHANNELS } from '@heliograph/kit';
import { METER_ROLES } from '@heliograph/metrics';
import { type Static, Type } from 'typebox';
import { ENERGY_PERIODS } from '../energy/period.ts';
import { DEFAULT_TOPIC_PREFIX } from './mqtt-config.ts';

/** Values of settings that the file leaves out. */
export const DEFAULTS = {
  pollIntervalS: 2,
  energyPeriod: 'weekly',
  settingWritesPerDay: 100,
  historyMaxSizeMb: 500,
  mqttTopicPrefix: DEFAULT_TOPIC_PREFIX,
  mqttDiscoveryPrefix: 'homeassistant',
  notificationSeverity: 'warning',
  notificationLanguage: 'en',
} as const;

const CLOSED = { additionalProperties: false };

/** Whole levels, no wildcards, nothing of the broker's own. */
const TOPIC_PREFIX = '^[^/+#$][^/+#]*(/[^/+#]+)*$';
const TOPIC_RULE = 'levels joined by "/", without "+" and "#", not beginning with "$"';

/** An origin: paths and credentials have no place in it. */
const CLOUD_URL = '^https?://[^/?#@\\s]+/?$';

/** As proxies name theirs. */
const REGION = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';

const Connection = Type.Object(
  {
    driver: Type.String({
      minLength: 1,
      description: 'The driver family, such as sunspec',
    }),
    bus: Type.String({
      minLength: 1,
      description: 'Where the hardware is connected, such as modbus-tcp://192.168.1.20:502',
    }),
    unit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 255,
        description: "The unit (slave) id or address; the family's usual one when left out",
      }),
    ),
    answer_timeout_s: Type.Optional(
      Type.Number({
        minimum: 0.2,
        maximum: 10,
        description:
          'How long an answer may take, in seconds, where the hardware or the way to it is slow; the bus or the driver knows its usual time',
      }),
    ),
    role: Type.Optional(
      Type.Enum([...METER_ROLES], {
        description:
          'What a meter measures for the totals of the home; left out, it only has topics of its own. grid: the connection to the grid. ' +
          'pv, battery: one that nothing else reads. load: all that the home uses. generator: a generator',
      }),
    ),
    reversed: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether the meter was connected the other way round, such as by clamps that face the wrong way: its power changes sign, import and export change places',
      }),
    ),
    options: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Further options of the driver family; see its page',
      }),
    ),
  },
  { ...CLOSED, description: 'One piece of hardware, or the hardware behind one address of a gateway' },
);

const History = Type.Object(
  {
    max_size_mb: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 1_000_000,
        default: DEFAULTS.historyMaxSizeMb,
        description: 'Disk space for readings, in MB; the oldest are deleted first',
      }),
    ),
  },
  CLOSED,
);

const Mqtt = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      description: 'The broker, such as mqtt://192.168.1.5:1883 or mqtts://',
    }),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Additional trusted certificates (PEM), for a broker with a self-signed one',
      }),
    ),
    username: Type.Optional(Type.String({ minLength: 1 })),
    password: Type.Optional(Type.String()),
    allow_writes: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether clients of the broker may change settings' }),
    ),
    home_assistant: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether every metric is announced to Home Assistant' }),
    ),
    topic_prefix: Type.Optional(
      Type.String({
        pattern: TOPIC_PREFIX,
        default: DEFAULTS.mqttTopicPrefix,
        description: `Prefix of all topics; existing clients expect the default: ${TOPIC_RULE}`,
      }),
    ),
    discovery_prefix: Type.Optional(
      Type.String({
        pattern: TOPIC_PREFIX,
        default: DEFAULTS.mqttDiscoveryPrefix,
        description: `Prefix of Home Assistant's discovery topics: ${TOPIC_RULE}`,
      }),
    ),
  },
  { ...CLOSED, description: 'An MQTT broker to publish to; left out, nothing is published' },
);

const AlertRule = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9_]{0,39}$',
      description: 'A built-in rule, such as battery_low, or the name of one of your own: a-z, 0-9 and _',
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Of a rule of your own' })),
    enabled: Type.Optional(Type.Boolean({ default: true, description: 'Whether the rule raises alerts' })),
    severity: Type.Optional(Type.Enum([...ALERT_SEVERITIES], { description: 'How grave its alerts are' })),
    kind: Type.Optional(
      Type.Enum([...OWN_CONDITION_KINDS], {
        description: 'What a rule of your own watches: a number, a text, or a number that stays as it is',
      }),
    ),
    topics: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 10,
        description: 'Topics or globs, such as battery_*/state_of_charge',
      }),
    ),
    limit: Type.Optional(Type.Number({ description: 'Of above and below, in the unit of the topics' })),
    clear_limit: Type.Optional(
      Type.Number({ description: 'The value at which the alert may clear; the limit when left out' }),
    ),
    only_after: Type.Optional(
      Type.Number({ description: 'Of below: nothing is raised before the value was once at least this' }),
    ),
    values: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 20,
        description: 'Of equals: the texts that raise the alert',
      }),
    ),
    for_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'How long the condition must last, in seconds',
      }),
    ),
  },
  { ...CLOSED, description: 'A rule that raises alerts, which the pages of the device then cannot change' },
);

/** An address of HTTP without credentials, whose last part is the topic. */
const NTFY_URL = '^https?://[^/?#@\\s]+(/[^/?#\\s]+)*/[-_A-Za-z0-9]{1,64}$';

/** Without credentials, which have fields of their own. */
const SMTP_URL = '^smtps?://[^/?#@\\s]+$';

const MAIL_ADDRESS = '^[^@\\s<>",;:]{1,64}@[^@\\s<>",;:]{1,253}$';

const Notification = Type.Object(
  {
    ntfy: Type.Optional(
      Type.String({
        pattern: NTFY_URL,
        description:
          'A topic of an ntfy server, such as https://ntfy.sh/a-name-that-is-hard-to-guess; everyone who knows it reads along',
      }),
    ),
    token: Type.Optional(
      Type.String({ minLength: 1, description: 'An access token, for a topic that is protected' }),
    ),
    smtp: Type.Optional(
      Type.String({
        pattern: SMTP_URL,
        description:
          'A mail server, in place of a topic: smtps://mail.example.org, or smtp://mail.example.org:587, which has to offer TLS where there is a password',
      }),
    ),
    username: Type.Optional(Type.String({ minLength: 1, description: 'At the mail server' })),
    password: Type.Optional(Type.String({ minLength: 1, description: 'At the mail server' })),
    ca_file: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Additional trusted certificates (PEM), for a mail server with a self-signed one',
      }),
    ),
    from: Type.Optional(
      Type.String({ pattern: MAIL_ADDRESS, description: 'The address that mails come from' }),
    ),
    to: Type.Optional(
      Type.Array(Type.String({ pattern: MAIL_ADDRESS }), {
        minItems: 1,
        maxItems: 10,
        description: 'The addresses that mails go to',
      }),
    ),
    severity: Type.Optional(
      Type.Enum([...ALERT_SEVERITIES], {
        default: DEFAULTS.notificationSeverity,
        description: 'The least severity that is sent',
      }),
    ),
    language: Type.Optional(
      Type.Enum([...LOCALES], { default: DEFAULTS.notificationLanguage, description: 'Of the messages' }),
    ),
  },
  { ...CLOSED, description: 'Where the device sends alerts by itself, without a cloud' },
);

/** The configuration file of a device, as it is written. */
export const ConfigFile = Type.Object(
  {
    poll_interval_s: Type.Optional(
      Type.Number({
        minimum: 0.05,
        maximum: 3600,
        default: DEFAULTS.pollIntervalS,
        description: 'How often the hardware is read, in seconds',
      }),
    ),
    time_zone: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "The zone whose midnight begins a day, such as Europe/Berlin; the machine's own when left out",
      }),
    ),
    energy_period: Type.Optional(
      Type.Enum([...ENERGY_PERIODS], {
        default: DEFAULTS.energyPeriod,
        description: 'When the energy totals restart: at midnight, on Monday, or on the 1st',
      }),
    ),
    connections: Type.Optional(
      Type.Array(Connection, {
        description:
          'The hardware, in the order in which inverters, batteries, meters and others are numbered',
      }),
    ),
    setting_writes_per_day: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        default: DEFAULTS.settingWritesPerDay,
        description:
          'Maximum writes of one setting in 24 hours: many inverters store settings in memory that wears out',
      }),
    ),
    history: Type.Optional(History),
    alert_rules: Type.Optional(
      Type.Array(AlertRule, {
        maxItems: 100,
        description: 'Rules that raise alerts, beside the built-in ones, or in the place of one of them',
      }),
    ),
    notifications: Type.Optional(
      Type.Array(Notification, {
        maxItems: 5,
        description: 'Receivers of alerts; left out, the device sends none by itself',
      }),
    ),
    mqtt: Type.Optional(Mqtt),
    mdns: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether the device announces itself on the local network',
      }),
    ),
    cloud_url: Type.Optional(
      Type.String({
        pattern: CLOUD_URL,
        description:
          'The cloud, such as https://cloud.example.org; left out, the device serves the local network only',
      }),
    ),
    channel: Type.Optional(
      Type.Enum([...RELEASE_CHANNELS], {
        description: 'Which releases the device takes; left out, as its owner chose for the site, or stable',
      }),
    ),
    automatic_updates: Type.Optional(
      Type.Boolean({
        description:
          'Whether the device updates without a request, where it was installed from a release archive; left out, as its owner chose for the site, or not',
      }),
    ),
    region: Type.Optional(
      Type.String({
        pattern: REGION,
        description:
          'The region whose proxies are nearest, such as eu, in lower-case letters, digits and hyphens; the cloud chooses when left out',
      }),
    ),
  },
  { ...CLOSED, title: 'Configuration of a Heliograph device' },
);
export type ConfigFile = Static<typeof ConfigFile>;
export type ConnectionEntry = Static<typeof Connection>;
