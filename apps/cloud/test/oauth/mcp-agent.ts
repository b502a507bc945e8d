import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

/** The part of an agent that the MCP SDK leaves to it: it keeps what it is given, and has a browser to open. */
export class McpAgent implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly clientMetadataUrl?: string;
  information: OAuthClientInformationMixed | undefined;
  issued: OAuthTokens | undefined;
  /** The URL that the user must open. */
  opened: URL | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  constructor(metadata: OAuthClientMetadata, clientMetadataUrl?: string) {
    this.clientMetadata = metadata;
    this.redirectUrl = String(metadata.redirect_uris[0]);
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.information;
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }
  tokens(): OAuthTokens | undefined {
    return this.issued;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.issued = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
}
