/**
 * Where hardware is connected, written as a URL:
 *
 * - `modbus-tcp://192.168.1.20:502`: Modbus TCP, also of gateways that translate it
 * - `modbus-rtu:///dev/ttyUSB0?baud=9600`: Modbus RTU over a serial port
 * - `modbus-rtu-tcp://192.168.1.21:8899`: RTU frames through a gateway that passes bytes on
 * - `solarman://192.168.1.22:8899?logger=2712345678`: RTU frames wrapped by a Solarman logger (V5)
 * - `serial:///dev/ttyUSB0?baud=2400`: a serial port for protocols with frames of their own
 * - `serial-tcp://192.168.1.21:8899`: the same through a gateway that passes bytes on
 * - `hid:///dev/hidraw0`: a USB HID device that carries such frames in its reports
 */
export type BusAddress =
  | {
      readonly transport: 'modbus-tcp' | 'modbus-rtu-tcp' | 'serial-tcp';
      readonly host: string;
      readonly port: number;
    }
  | { readonly transport: 'solarman'; readonly host: string; readonly port: number; readonly logger: number }
  | ({ readonly transport: 'modbus-rtu' | 'serial'; readonly path: string } & SerialLine)
  | { readonly transport: 'hid'; readonly path: string };

export type Transport = BusAddress['transport'];

/** How a serial port is to be set; what is left out is the driver family's usual. */
export interface SerialLine {
  readonly baudRate?: number;
  readonly parity?: 'none' | 'even' | 'odd';
  readonly stopBits?: 1 | 2;
}
