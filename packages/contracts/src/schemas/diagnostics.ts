import { type Static, Type } from 'typebox';

/** `GET /api/v1/diagnostics` on a device. */
export const DiagnosticsQuery = Type.Object({
  frames: Type.Optional(
    Type.Literal('1', {
      description: 'Adds the last requests to the hardware and its answers, byte by byte',
    }),
  ),
});
export type DiagnosticsQuery = Static<typeof DiagnosticsQuery>;
