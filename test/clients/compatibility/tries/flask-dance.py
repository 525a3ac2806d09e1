import os
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"
from flask import Flask
from flask_dance.consumer import OAuth2ConsumerBlueprint

issuer = os.environ["OIDC_ISSUER"]
app = Flask(__name__)
app.secret_key = "of this test"
blueprint = OAuth2ConsumerBlueprint(
    "latchkey", __name__, client_id=os.environ["OIDC_CLIENT_ID"], client_secret=os.environ["OIDC_CLIENT_SECRET"],
    base_url=issuer, authorization_url=issuer + "/oauth-authorize", token_url=issuer + "/oauth/token",
    scope="openid profile email", login_url="/sign-in", authorized_url="/callback",
)
app.register_blueprint(blueprint)
redirect_uri = os.environ["OIDC_REDIRECT_URI"]
print(app.test_client().get("/sign-in", base_url=redirect_uri.rsplit("/", 1)[0]).headers["Location"])
