/** Shows a contract with Swagger UI, which the page loads before this script. */
interface SwaggerUi {
  preauthorizeApiKey(scheme: string, key: string): void;
}
declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => SwaggerUi;

const place = document.getElementById('reference');
const dark = matchMedia('(prefers-color-scheme: dark)');

function followScheme(): void {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

/** The first of the keys that the start page names. */
async function aKey(): Promise<string | undefined> {
  const reply = await fetch('/', { headers: { Accept: 'application/json' } });
  // The server's own answer, whose form is known.
  return ((await reply.json()) as { readonly keys: readonly string[] }).keys[0];
}

if (place !== null) {
  followScheme();
  dark.addEventListener('change', followScheme);
  const canTry = place.dataset['canTry'] === 'yes';
  const ui = SwaggerUIBundle({
    url: place.dataset['document'],
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    showExtensions: false,
    tryItOutEnabled: canTry,
    ...(canTry ? {} : { supportedSubmitMethods: [] }),
    validatorUrl: null,
    onComplete: async () => {
      const key = canTry ? await aKey() : undefined;
      if (key !== undefined) ui.preauthorizeApiKey('apiKey', key);
    },
  });
}
