import { expect, it } from 'vitest';
import { isMcpResource, mcpResource } from './challenge.ts';

it.each([
  ['https://Cloud.Example.com', 'https://Cloud.Example.com/mcp', true],
  ['https://Cloud.Example.com', 'https://cloud.example.com/mcp/', true],
  ['https://cloud.example.com:443', 'https://cloud.example.com', true],
  ['https://cloud.example.com:443', 'https://cloud.example.com:443/mcp', true],
  ['https://sönne.example', 'https://xn--snne-5qa.example/mcp', true],
  ['https://cloud.example.com', 'https://other.example.com/mcp', false],
  ['https://cloud.example.com', 'https://cloud.example.com/MCP', false],
  ['https://cloud.example.com', 'cloud.example.com/mcp', false],
])('the MCP server at the configured address %s is meant by %s: %s', (cloudUrl, resource, isMeant) => {
  expect(isMcpResource(resource, mcpResource(cloudUrl))).toBe(isMeant);
});
