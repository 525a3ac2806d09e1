use Mojolicious::Lite;
use Test::Mojo;

my $issuer = $ENV{OIDC_ISSUER};
plugin OAuth2 => {
  latchkey => {
    key => $ENV{OIDC_CLIENT_ID}, secret => $ENV{OIDC_CLIENT_SECRET}, scope => 'openid profile email',
    authorize_url => "$issuer/oauth-authorize", token_url => "$issuer/oauth/token",
  },
};
get '/' => sub { my $c = shift; $c->render(text => $c->oauth2->auth_url('latchkey', {redirect_uri => $ENV{OIDC_REDIRECT_URI}})) };
app->log->level('fatal');
print Test::Mojo->new->ua->get('/')->result->body, "\n";
