export { Multiplexer, type MultiplexerListener, type MultiplexerOptions } from './multiplexer.ts';
export { answerUnread, TunnelServer, type TunnelServerOptions, UNREAD_HEADER } from './tunnel-server.ts';
export { VirtualConnection } from './virtual-connection.ts';
