import { Compile } from 'typebox/schema';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { DRIVERS, problems } from '../../test/config/check-text.ts';
import { configJsonSchema } from './json-schema.ts';

const schema = Compile(JSON.parse(JSON.stringify(configJsonSchema(DRIVERS))));

it.each([
  'mdns: true',
  'region: eu-north-1',
  'cloud_url: https://cloud.example.org',
  'connections: [{driver: chooser, bus: "modbus-tcp://h", options: {phases: 3}}]',
  'connections: [{driver: sunspec, bus: "modbus-tcp://h", role: grid}]',
  'mqtt: {url: mqtt://b, topic_prefix: home/sun}',
  'notifications: [{smtp: "smtps://m.example", from: a@b.c, to: [d@e.f], username: u, password: p}]',
])('an editor takes what a start takes: %s', (text) => {
  expect([schema.Check(parse(text)), problems(text)]).toEqual([true, []]);
});

it.each([
  'mdns: maybe',
  'region: EU north',
  'cloud_url: cloud.example.org',
  'cloud_url: https://cloud.example.org/portal',
  'poll: 1',
  'connections: [{driver: sunspc, bus: "modbus-tcp://h"}]',
  'connections: [{driver: chooser, bus: "modbus-tcp://h", options: {phases: 2}}]',
  'connections: [{driver: sunspec, bus: "modbus-tcp://h", options: {phases: 3}}]',
  'connections: [{driver: talker, bus: "serial:///dev/a", unit: 2}]',
  'connections: [{driver: chooser, bus: "modbus-tcp://h", role: grid}]',
  'connections: [{driver: sunspec, bus: "modbus-tcp://h", role: roof}]',
  'mqtt: {url: mqtt://b, topic_prefix: home/#}',
  'notifications: [{smtp: "smtps://u:p@m.example", from: a@b.c, to: [d@e.f]}]',
  'notifications: [{smtp: "smtps://m.example", from: a@b.c, to: []}]',
  'notifications: [{smtp: "smtps://m.example", from: a@b.c, to: ["d@e.f, g@h.i"]}]',
])('an editor refuses what a start refuses: %s', (text) => {
  expect(schema.Check(parse(text))).toBe(false);
  expect(problems(text)).not.toEqual([]);
});
