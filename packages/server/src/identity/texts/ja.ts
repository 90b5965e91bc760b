import type { en } from './en.ts'

export const ja: typeof en = {
  identity: {
    no_provider: (other, itsSettings) =>
      `ログインに使う認証サービスが決まっていません。OpenID Connect の認証サービス（Entra ID、Google、Okta、Keycloak、HENNGE One など）なら SEKISHO_IDENTITY=oidc、SEKISHO_OIDC_ISSUER、SEKISHO_OIDC_CLIENT_ID、SEKISHO_OIDC_CLIENT_SECRET_FILE を、${other} なら ${itsSettings.join('、')} を設定してください。`,
    bad_identity: (known) =>
      `SEKISHO_IDENTITY には ${known.join(' か ')}、または両方をコンマで区切って書いてください。`,
    missing: (name) => `${name} がありません。値を書いてください。`,
    setting_missing: (name) =>
      `${name} がないか、"undefined" という文字列になっています。プロジェクトの設定にある値を書いてください。`,
    bad_host: (name) => `${name} には、https:// を付けずにホスト名を書いてください。`,
    bad_project: (name) => `${name} がプロジェクト ID の形ではありません。`,
    demo_project: (name) => `本番では、demo- で始まる ${name} を使えません。`,
    real_project: (name) => `--local では、${name} を demo- で始めてください。`,
    other_host: (name, host) =>
      `${name} は ${host} にしてください。ほかのホストでは、サードパーティーの保存領域を止めるブラウザーで、ページ遷移によるログインができません。`,
    bad_provider_issuer: (name) =>
      `${name} には、プロバイダーの https の URL を、トークンの iss と同じつづりで書いてください。`,
    any_tenant: (name) =>
      `${name} には、https://login.microsoftonline.com/TENANT-ID/v2.0 のように、1 つのテナントの ID を書いてください。common、organizations、consumers では、誰でもテナントを作って、社内のアドレスを名乗れます。`,
    bad_provider_name: (name) =>
      `${name} は、英小文字、数字、ハイフンの短い名前にしてください。role は使えません。`,
    bad_domains: (name) => `${name} には、メールのドメインをコンマで区切って書いてください。`,
    same_provider_name: (provider) =>
      `${provider} という名前のプロバイダーが 2 つあります。SEKISHO_OIDC_NAME と SEKISHO_OIDC_2_NAME で別の名前を付けてください。`,
    no_provider_domains: (name) =>
      `${name} に、このプロバイダーが保証するメールのドメインを書いてください。プロバイダーが複数あると、ほかの組織のアドレスを名乗らせることができてしまいます。`,
    no_credential: (prefix) =>
      `${prefix}CLIENT_SECRET（または ${prefix}CLIENT_SECRET_FILE、${prefix}PRIVATE_KEY_FILE）がありません。どれか 1 つを設定してください。`,
  },
}
