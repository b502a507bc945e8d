/** The cloud's test helpers for tests of the whole system. */
export { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
export { generate as appCode } from 'otplib';
export { openDatabase } from '../src/db/open.ts';
export { packDay } from '../src/sites/history/day-codec.ts';
export { Factory, PASSWORD } from './factory.ts';
export { type HttpsReceiver, type ReceivedRequest, startHttpsReceiver } from './https-receiver.ts';
export { BrowserJar } from './oauth/browser-jar.ts';
export { McpAgent } from './oauth/mcp-agent.ts';
export { PushSubscriber } from './push-subscriber.ts';
export { SoftwareAuthenticator } from './software-authenticator.ts';
