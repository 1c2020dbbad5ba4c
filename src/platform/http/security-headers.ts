import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What no page of ours asks a device for; a script that got in could not either. */
const PERMISSIONS_POLICY = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid']
  .concat(['magnetometer', 'microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'])
  .map((feature) => `${feature}=()`)
  .join(', ');

/** No inline script or style, nothing from elsewhere, no frame around a page on which one pays. */
export function securityHeaders(): RequestHandler {
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'form-action': ["'self'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['rappen'],
      },
    },
    // Set by `httpsOnly` where https is certain: in the sandbox it would lock a developer out of localhost.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    // Not `no-referrer`: with it browsers send `Origin: null` on our own forms, and we check the Origin.
    referrerPolicy: { policy: 'same-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
  });
  const headers = new Map([['Permissions-Policy', PERMISSIONS_POLICY], ...constantHeaders(secure)]);
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}

/** What helmet sets, asked for once: none of ours depends on the request. */
function constantHeaders(secure: ReturnType<typeof helmet>): [string, string][] {
  const headers: [string, string][] = [];
  const answer = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  secure({} as IncomingMessage, answer as unknown as ServerResponse, (error) => {
    if (error instanceof Error) throw error;
  });
  return headers;
}
