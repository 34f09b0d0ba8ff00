//! What every search must do, whatever its weights.
