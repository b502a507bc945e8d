export type DocumentName = 'cloud' | 'device' | 'stream';

/** A command and its parameters, in the folder of the run, which has the documents as `cloud.json` and so on. */
export type Step = readonly [command: string, ...parameters: string[]];

export interface Generator {
  readonly name: string;
  readonly documents: readonly DocumentName[];
  /** Commands that the machine must have. */
  readonly needs: readonly string[];
  /** Make a client of a document and compile it. */
  steps(document: DocumentName): readonly Step[];
  /** Run the steps of README.md with the clients of all documents, by the program of this name in the folder `steps`. */
  readonly use?: { readonly program: string; readonly steps: readonly Step[] };
}

const OPENAPI: readonly DocumentName[] = ['cloud', 'device'];

/** Installs the generators that come as packages for Python, also openapi-generator, a program in Java. */
export const PYTHON_PACKAGES: readonly Step[] = [
  ['python3', '-m', 'venv', 'python'],
  [
    'python/bin/pip',
    'install',
    '--quiet',
    'openapi-generator-cli==7.26.0',
    'openapi-python-client==0.29.1',
    'pydantic==2.*',
    'python-dateutil',
    'urllib3==2.*',
  ],
];

/** Values of several types: the generator of PHP makes classes that hold nothing of them, that of C# ones without numbers. */
export const VALUES_OF_SEVERAL_TYPES: readonly string[] = [
  'DriverOptionChoice',
  'LastValue',
  'McpMessageId',
  'McpResultId',
  'MetricValue',
  'OrganizationChoice',
  'SetMetricBodyValue',
  'WriteRefusalValue',
];

const mapTo = (type: string): readonly string[] => {
  const mappings = VALUES_OF_SEVERAL_TYPES.map((name) => `${name}=${type}`).join(',');
  return ['--type-mappings', mappings, '--schema-mappings', mappings];
};

const NAMESPACE_OF_CSHARP: Readonly<Record<DocumentName, string>> = {
  cloud: 'CloudClient',
  device: 'DeviceClient',
  stream: 'StreamClient',
};

/** Options of a generator beside the document. `supportsRetry` takes a package that the npm registry does not have. */
function optionsOf(name: string, document: DocumentName): readonly string[] {
  const properties = '--additional-properties';
  const namespace = NAMESPACE_OF_CSHARP[document];
  switch (name) {
    case 'python':
    case 'go':
      return [properties, `packageName=${document}_client`];
    case 'java':
      return ['--library', 'native'];
    case 'php':
      return mapTo('mixed');
    case 'csharp':
      return [
        ...['--library', 'httpclient', ...mapTo('object')],
        ...[properties, `packageName=${namespace},targetFramework=net48,supportsRetry=false`],
      ];
    default:
      return [];
  }
}

function openApiGenerator(
  name: string,
  needs: readonly string[],
  compile: (folder: string, document: DocumentName) => readonly Step[],
  use?: Generator['use'],
): Generator {
  return {
    name,
    documents: OPENAPI,
    needs: ['python3', 'java', ...needs],
    ...(use !== undefined && { use }),
    steps: (document) => {
      const folder = `${document}-${name}`;
      const parameters = ['-i', `${document}.json`, '-g', name, '-o', folder];
      return [
        [
          'sh',
          '-c',
          'java -jar python/lib/*/site-packages/openapi_generator_cli/openapi-generator.jar "$@" >&2',
          'openapi-generator',
          'generate',
          ...parameters,
          ...optionsOf(name, document),
        ],
        ...compile(folder, document),
      ];
    },
  };
}

const TYPESCRIPT = ['npm', 'install', '--silent', '--no-save', 'typescript@5.9.3', '@types/node@24'] as const;
const STRICT =
  '--strict --noEmit --skipLibCheck --target es2022 --module commonjs --lib es2022,dom --types node';

const compileTypeScript = (folder: string, ...packages: string[]): readonly Step[] => [
  [...TYPESCRIPT, ...packages],
  ['sh', '-c', `node_modules/.bin/tsc ${STRICT} $(find ${folder} -name "*.ts")`],
];

/** The program has a second ending, as its imports are there in a run alone. */
const useTypeScript = (name: string, ...packages: string[]): NonNullable<Generator['use']> => ({
  program: `${name}.ts.txt`,
  steps: [
    ['mv', `${name}.ts.txt`, `${name}.ts`],
    [...TYPESCRIPT, ...packages],
    ['sh', '-c', `node_modules/.bin/tsc ${STRICT.replace('--noEmit', '--outDir out')} ${name}.ts`],
    [process.execPath, `out/${name}.js`],
  ],
});

const GO_MODULE = ['cloud', 'device']
  .map((name) => `go mod edit -require heliograph/${name}@v0.0.0 -replace heliograph/${name}=../${name}-go`)
  .join(' && ');

/** The build of Newtonsoft.Json for the .NET Framework. */
const NEWTONSOFT =
  'node_modules/jillejr.newtonsoft.json-for-unity/Plugins/Newtonsoft.Json Editor/Newtonsoft.Json.dll';
const FRAMEWORK = ['Net.Http', 'ComponentModel.DataAnnotations', 'Runtime.Serialization', 'Web'];

const csharpCompiler = (...parameters: string[]): Step => [
  'mcs',
  '-langversion:latest',
  ...FRAMEWORK.map((name) => `-r:System.${name}`),
  '-r:readme-csharp/Newtonsoft.Json.dll',
  ...parameters,
];

const inFolder = (folder: string, script: string): Step => ['sh', '-c', `cd ${folder} && ${script}`];

const importAll = (module: string): string =>
  `../python/bin/python -c "import importlib, pkgutil, ${module} as m
for each in pkgutil.walk_packages(m.__path__, m.__name__ + '.'): importlib.import_module(each.name)"`;

export const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    documents: OPENAPI,
    needs: ['npm'],
    steps: (document) => [
      [
        'npm',
        'install',
        '--silent',
        '--no-save',
        'openapi-typescript@7.13.0',
        'typescript@5.9.3',
        '@types/node@24',
      ],
      [
        'node_modules/.bin/openapi-typescript',
        `${document}.json`,
        '-o',
        `${document}-openapi-typescript/api.ts`,
      ],
      ['sh', '-c', `node_modules/.bin/tsc ${STRICT} ${document}-openapi-typescript/api.ts`],
    ],
  },
  {
    name: 'modelina',
    documents: ['stream'],
    needs: ['npm'],
    use: useTypeScript('modelina'),
    steps: (document) => [
      [...TYPESCRIPT, '@asyncapi/modelina@5.10.1'],
      [
        'node',
        '-e',
        `const { TypeScriptFileGenerator } = require('@asyncapi/modelina');
         const input = JSON.parse(require('fs').readFileSync('${document}.json'));
         new TypeScriptFileGenerator({ modelType: 'interface', rawPropertyNames: true })
           .generateToFiles(input, '${document}-modelina', { exportType: 'named' }, true)
           .then((models) => {
             const made = models.map(({ modelName }) => modelName).filter((name) => /Anonymous/.test(name));
             if (made.length > 0) throw new Error('Models without a name: ' + made);
           })
           .catch((error) => { console.error(error); process.exit(1); });`,
      ],
      ['sh', '-c', `node_modules/.bin/tsc ${STRICT} $(find ${document}-modelina -name "*.ts")`],
    ],
  },
  openApiGenerator('python', [], (folder, document) => [inFolder(folder, importAll(`${document}_client`))], {
    program: 'python.py',
    steps: [['sh', '-c', 'PYTHONPATH=cloud-python:device-python python/bin/python python.py']],
  }),
  openApiGenerator(
    'typescript-fetch',
    ['npm'],
    (folder) => compileTypeScript(folder),
    useTypeScript('typescript-fetch'),
  ),
  openApiGenerator(
    'typescript-axios',
    ['npm'],
    (folder) => compileTypeScript(folder, 'axios@1'),
    useTypeScript('typescript-axios', 'axios@1'),
  ),
  openApiGenerator(
    'go',
    ['go'],
    (folder, document) => [
      inFolder(
        folder,
        `rm -rf test && go mod edit -module heliograph/${document} && go mod tidy && go vet ./...`,
      ),
    ],
    {
      program: 'main.go',
      steps: [
        [
          'sh',
          '-c',
          `mkdir readme-go && mv main.go readme-go && cd readme-go && go mod init heliograph/readme && ${GO_MODULE} && go mod tidy && go run .`,
        ],
      ],
    },
  ),
  openApiGenerator('java', ['mvn'], (folder) => [inFolder(folder, 'mvn --quiet --batch-mode compile')], {
    program: 'Readme.java',
    steps: [
      inFolder('device-java', 'mvn --quiet --batch-mode package -DskipTests -Dmaven.javadoc.skip=true'),
      [
        'javac',
        '-cp',
        'device-java/target/classes:device-java/target/lib/*',
        '-d',
        'readme-java',
        'Readme.java',
      ],
      ['java', '-cp', 'readme-java:device-java/target/classes:device-java/target/lib/*', 'Readme'],
    ],
  }),
  openApiGenerator(
    'csharp',
    ['mcs', 'mono', 'npm'],
    (folder, document) => {
      const name = NAMESPACE_OF_CSHARP[document];
      return [
        ['npm', 'install', '--silent', '--no-save', 'jillejr.newtonsoft.json-for-unity@12.0.101'],
        ['sh', '-c', `mkdir -p readme-csharp && cp '${NEWTONSOFT}' readme-csharp`],
        csharpCompiler(
          '-target:library',
          `-out:readme-csharp/${name}.dll`,
          `-recurse:${folder}/src/${name}/*.cs`,
        ),
      ];
    },
    {
      program: 'Readme.cs',
      steps: [
        csharpCompiler(
          '-out:readme-csharp/Readme.exe',
          '-r:readme-csharp/CloudClient.dll,readme-csharp/DeviceClient.dll',
          'Readme.cs',
        ),
        ['mono', 'readme-csharp/Readme.exe'],
      ],
    },
  ),
  openApiGenerator('php', ['php'], (folder) => [
    inFolder(folder, 'find lib -name "*.php" -print0 | xargs -0 -n 1 php -l'),
  ]),
  {
    name: 'openapi-python-client',
    documents: OPENAPI,
    needs: ['python3'],
    steps: (document) => [
      [
        'python/bin/openapi-python-client',
        'generate',
        '--path',
        `${document}.json`,
        '--output-path',
        `${document}_opc`,
        '--meta',
        'none',
      ],
      inFolder('.', `PYTHONPATH=. ${importAll(`${document}_opc`).replace('../', '')}`),
    ],
  },
];
