import { keyRefused } from '../model/predict.ts';
import { acceptedOperation, readingOf, type Probe } from '../probe.ts';

/** Calls without a key and with an unknown key. */
export const keys: readonly Probe[] = [
  {
    name: 'missing-key',
    what: 'a call without a key',
    calls: 1,
    tells: ['missingKey', 'refusalBody', 'gatewayRefusalBody'],
    run: async (scene) => {
      const reply = await scene.pace.call({ operation: acceptedOperation(scene), key: 'none' });
      return {
        readings: [
          readingOf('missingKey', 'a call without a key', reply, (ask) => keyRefused(ask, 'missingKey')),
        ],
      };
    },
  },
  {
    name: 'wrong-key',
    what: 'a call with an unknown key: a prefix of the real one, then random letters and digits',
    calls: 1,
    tells: ['invalidKey', 'refusalBody', 'gatewayRefusalBody'],
    run: async (scene) => {
      const reply = await scene.pace.call({ operation: acceptedOperation(scene), key: 'wrong' });
      return {
        readings: [
          readingOf('invalidKey', 'a call with a wrong key', reply, (ask) => keyRefused(ask, 'invalidKey')),
        ],
      };
    },
  },
];
