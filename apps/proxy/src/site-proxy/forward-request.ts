import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
} from 'node:http2';
import type { ProxyLimits } from '../config/limits.ts';
import { hasBody } from '../http/body.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { recordForwarded } from '../http/outcome.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { Upstream } from '../tunnels/upstream.ts';
import { awaitEnd, cancelStream } from './cancel-stream.ts';
import {
  audienceOf,
  clientResponseHeaders,
  deviceRequestHeaders,
  type ForwardContext,
  type ResponseAudience,
} from './headers.ts';
import {
  bodyTooLong,
  CONNECTION_LOST,
  DEVICE_TIMEOUT,
  INVALID_RESPONSE,
  refusalOfOpenError,
} from './refusals.ts';
import { RequestBody } from './request-body.ts';

export interface RequestOptions extends ForwardContext {
  readonly limits: Pick<ProxyLimits, 'answerMs' | 'totalMs' | 'bodyBytes'>;
  /**
   * Finds who takes the request after it was refused unprocessed, as by a device that moves away.
   *
   * @param refusals how often that happened to it
   * @param refusedBy the upstream of the last refusal
   */
  readonly nextUpstream: (refusals: number, refusedBy: Upstream) => Promise<Upstream | Refusal>;
}

/** A request on its way to a device. */
export interface ForwardedRequest {
  /** Takes it back from the device and answers the refusal; an answer that has begun is cut. */
  end(refusal: Refusal): void;
}

/** Passes one request on and the answer back; either end going away cancels the other. */
export function forwardRequest(
  req: ClientRequest,
  res: ClientResponse,
  upstream: Upstream,
  options: RequestOptions,
): ForwardedRequest | undefined {
  const { limits } = options;
  const withBody = hasBody(req);
  const audience = audienceOf(req, res, options.clientAddress);
  let headers: string[];
  let stream: ClientHttp2Stream;
  try {
    headers = deviceRequestHeaders(req, options);
    stream = upstream.open(headers, withBody);
  } catch (error) {
    refuse(req, res, refusalOfOpenError(error));
    return undefined;
  }

  let settled = false;
  let answered = false;
  let isComplete = false;
  let refusals = 0;
  let currentUpstream = upstream;
  const fail = (refusal: Refusal): void => {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    cancelStream(stream);
    refuse(req, res, refusal);
  };
  let deadline = setTimeout(fail, limits.answerMs, DEVICE_TIMEOUT);

  const follow = (): void => {
    stream.on('response', (answer, flags, raw) => {
      if (settled) return;
      answered = true;
      clearTimeout(deadline);
      if (!passHead(req, res, answer, raw, audience)) fail(INVALID_RESPONSE);
      else {
        deadline = setTimeout(fail, limits.totalMs, DEVICE_TIMEOUT);
        passBody(stream, res, flags, bodyLength(req, answer), () => {
          isComplete = true;
        });
      }
    });
    stream.on('error', ignore);
    stream.on('close', () => {
      if (settled || res.writableEnded) return;
      if (mayRepeat()) repeat();
      else fail(CONNECTION_LOST);
    });
  };
  const mayRepeat = (): boolean =>
    stream.rstCode === constants.NGHTTP2_REFUSED_STREAM && !answered && (body?.isRepeatable ?? true);
  const repeat = (): void => {
    refusals++;
    options
      .nextUpstream(refusals, currentUpstream)
      .then((next) => {
        if (settled) return;
        if ('error' in next) fail(next);
        // More of the body may have come meanwhile than is kept: the rest must not be taken for the whole.
        else if (body?.isRepeatable === false) fail(CONNECTION_LOST);
        else {
          currentUpstream = next;
          stream = next.open(headers, withBody);
          follow();
          body?.resendTo(stream);
        }
      })
      .catch(() => fail(CONNECTION_LOST));
  };

  follow();
  res.on('close', () => {
    settled = true;
    clearTimeout(deadline);
    if (isComplete && stream.writableEnded) awaitEnd(stream);
    else cancelStream(stream);
  });
  const body = withBody
    ? new RequestBody(req, res, stream, {
        maxBytes: limits.bodyBytes,
        onProgress: () => deadline.refresh(),
        onTooLong: () => fail(bodyTooLong(limits.bodyBytes)),
      })
    : undefined;
  return { end: fail };
}

type Answer = IncomingHttpHeaders & IncomingHttpStatusHeader;

function passHead(
  req: ClientRequest,
  res: ClientResponse,
  answer: Answer,
  raw: readonly string[],
  audience: ResponseAudience,
): boolean {
  const status = answer[':status'] ?? 0;
  if (status < 200 || status > 599) return false;
  try {
    res.writeHead(status, clientResponseHeaders(raw, status, audience));
    recordForwarded(req);
    return true;
  } catch {
    return false;
  }
}

/** Declared length of the body in bytes; undefined if unknown or without a body. */
function bodyLength(req: ClientRequest, answer: Answer): number | undefined {
  const status = answer[':status'];
  const length = answer['content-length'];
  if (length === undefined || req.method === 'HEAD' || status === 204 || status === 304) return undefined;
  return Number(length);
}

/** @param onComplete called when all of a declared length has come, which may be before the end of the stream */
function passBody(
  stream: ClientHttp2Stream,
  res: ClientResponse,
  flags: number,
  length: number | undefined,
  onComplete: () => void,
): void {
  if ((flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0) {
    stream.resume();
    res.end();
    return;
  }
  let left = length ?? Number.POSITIVE_INFINITY;
  // Without a length the body may be a stream whose first bytes come late: the client gets the head at once.
  if (length === undefined) res.flushHeaders?.();
  stream.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left === 0) {
      onComplete();
      res.end(chunk);
    } else if (!res.write(chunk)) {
      stream.pause();
      res.once('drain', () => stream.resume());
    }
  });
  stream.on('end', () => {
    if (res.writableEnded) return;
    const complete = stream.rstCode === constants.NGHTTP2_NO_ERROR && (left === 0 || length === undefined);
    if (complete) res.end();
    else res.destroy();
  });
}

function ignore(): void {
  // The close event, which always follows, reports the failure to the client.
}
