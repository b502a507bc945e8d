import type { SiteTokenClaims } from '@heliograph/wire';
import { expect, test, vi } from 'vitest';
import { InFlight, type InFlightRequest } from './in-flight.ts';

function requestOf(siteId: number, isWebSocket = false) {
  // Claims are handed on, and only the site is looked at.
  return { claims: { siteId } as SiteTokenClaims, isWebSocket, end: vi.fn() } satisfies InFlightRequest;
}

function allOf(...requests: InFlightRequest[]): InFlight {
  const inFlight = new InFlight();
  for (const request of requests) inFlight.add(request);
  return inFlight;
}

test('requests and WebSockets in flight are counted apart, each until it is removed once', () => {
  const [first, second, webSocket] = [requestOf(1), requestOf(1), requestOf(1, true)];
  const inFlight = allOf(first, second, webSocket);
  expect([inFlight.requests, inFlight.webSockets]).toEqual([2, 1]);
  inFlight.remove(webSocket);
  inFlight.remove(webSocket);
  expect([inFlight.requests, inFlight.webSockets]).toEqual([2, 0]);
  inFlight.remove(first);
  inFlight.remove(first);
  inFlight.remove(requestOf(9));
  expect([inFlight.requests, inFlight.webSockets]).toEqual([1, 0]);
  inFlight.endUnless(() => false);
  expect(first.end).not.toHaveBeenCalled();
  expect(second.end).toHaveBeenCalledOnce();
});

test('the WebSockets of one site end alone, and those of all sites without a site', () => {
  const [request, own, other] = [requestOf(1), requestOf(1, true), requestOf(2, true)];
  const inFlight = allOf(request, own, other);
  inFlight.endWebSockets(9);
  inFlight.endWebSockets(1);
  expect([own.end, other.end].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  inFlight.endWebSockets();
  expect([own.end, other.end].map(({ mock }) => mock.calls.length)).toEqual([2, 1]);
  expect(request.end).not.toHaveBeenCalled();
});

test('a request whose claims are no longer good ends, and others go on', () => {
  const [bad, good] = [requestOf(1), requestOf(2)];
  allOf(bad, good).endUnless(({ siteId }) => siteId === 2);
  expect(bad.end).toHaveBeenCalledOnce();
  expect(good.end).not.toHaveBeenCalled();
});
