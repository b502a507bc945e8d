/**
 * Loads the mDNS library, which only a device on a network needs. It brings hooks for its own source maps, into how
 * stack traces are made and how an uncaught error ends the process: those stay as they were.
 */
export async function loadCiao(): Promise<typeof import('@homebridge/ciao')> {
  const { prepareStackTrace } = Error;
  const emit = Object.getOwnPropertyDescriptor(process, 'emit');
  try {
    return await import('@homebridge/ciao');
  } finally {
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Error.prepareStackTrace = prepareStackTrace;
    Reflect.deleteProperty(process, 'emit');
    if (emit !== undefined) Object.defineProperty(process, 'emit', emit);
  }
}
